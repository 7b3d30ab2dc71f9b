"""Ray scores batches on its workers, with the bits of one call."""

import os
import shutil
import subprocess
import sys

import pytest

import likewise
from support import PILE, REFUNDS

pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("ray", reason="ray is not installed")

# Ray listens on every address of the machine, so it gets a network of its own, which ends at its loopback address.
ALONE = ["unshare", "--net", "--map-root-user", "--", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]

SCRIPT = """
import sys
import pyarrow.parquet, ray
import likewise.arrow
ray.init(num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1")
scorer = likewise.arrow.score_batches(sys.argv[1])
rows = ray.data.from_arrow(pyarrow.parquet.read_table(sys.argv[2])).repartition(4)
parts = ray.get(rows.map_batches(scorer, batch_format="pyarrow").to_arrow_refs())
pyarrow.parquet.write_table(pyarrow.concat_tables(parts), sys.argv[3])
"""


@pytest.mark.filterwarnings("ignore::likewise.LikewiseWarning")
def test_rays_workers_give_the_same_bits(tmp_path):
    import pyarrow.parquet

    if shutil.which("unshare") is None or subprocess.run([*ALONE, "true"], capture_output=True).returncode != 0:
        pytest.skip("no network can be made for Ray alone (unshare)")
    model, rows, out = (tmp_path / name for name in ("refunds.model", "rows.parquet", "scored.parquet"))
    likewise.find(REFUNDS, PILE, method="nb").model.save(model)
    texts = [*PILE, *REFUNDS] * 20
    table = pyarrow.table({"id": list(range(len(texts))), "text": texts})
    pyarrow.parquet.write_table(table, rows)
    command = [*ALONE, sys.executable, "-c", SCRIPT, model, rows, out]
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    subprocess.run([str(part) for part in command], check=True, env=environment, cwd=tmp_path, timeout=300)
    scored = pyarrow.parquet.read_table(out).sort_by("id")
    assert scored.equals(likewise.arrow.score_batches(model)(table))
