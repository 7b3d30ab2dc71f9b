"""scikit-learn's own checks of every estimator; none is expected to fail."""

import pytest
from sklearn.datasets import make_blobs
from sklearn.preprocessing import StandardScaler
from sklearn.utils import shuffle
from sklearn.utils.estimator_checks import parametrize_with_checks

import likewise
from support import ESTIMATORS, NAMES

# To hide positives is one step for all methods and takes many times as long as such small fits: each method is checked
# with its own threshold, and one of each way to be cut as it comes.
CHECKED = [estimator(cut="natural") for estimator in ESTIMATORS]
CHECKED += [likewise.Logistic(), likewise.OCSVM(), likewise.LPPUL(), likewise.NB(), likewise.Rocchio(), likewise.SpySVM()]


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(CHECKED, expected_failed_checks=lambda _: {})
def test_estimator_passes_scikit_learns_check(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES)
def test_only_what_scores_poorly_is_tagged_so(estimator):
    x, y = shuffle(*make_blobs(n_samples=300, random_state=0), random_state=7)
    x = StandardScaler().fit_transform(x)[y != 2]
    y = y[y != 2]
    for cut in (None, "natural"):
        model = estimator(cut=cut).fit(x, y)
        poor = model.score(x, y) <= 0.83
        assert model.__sklearn_tags__().classifier_tags.poor_score == poor, cut
