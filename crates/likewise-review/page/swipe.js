// A finger on the card: right is yes, left is no, up is unsure.

const FAR = 90;

export function swipe(card, actions) {
  let start = null;
  const reset = () => {
    start = null;
    card.style.transform = "";
    card.classList.remove("to-yes", "to-no", "to-unsure");
  };
  const direction = (dx, dy) => {
    if (Math.abs(dx) > FAR && Math.abs(dx) > 2 * Math.abs(dy)) return dx > 0 ? "yes" : "no";
    if (dy < -FAR * 1.5 && Math.abs(dy) > 2 * Math.abs(dx) && start?.fits) return "unsure";
    return null;
  };
  card.addEventListener("touchstart", (event) => {
    if (event.touches.length !== 1 || event.target.closest("input, button, a")) return;
    const text = card.querySelector("#text");
    // Where the text scrolls, up is for scrolling.
    const fits = text.scrollHeight <= text.clientHeight + 2 && card.scrollHeight <= card.clientHeight + 2;
    start = { x: event.touches[0].clientX, y: event.touches[0].clientY, fits };
  }, { passive: true });
  card.addEventListener("touchmove", (event) => {
    if (!start) return;
    const dx = event.touches[0].clientX - start.x;
    const dy = event.touches[0].clientY - start.y;
    const to = direction(dx, dy);
    for (const name of ["yes", "no", "unsure"]) card.classList.toggle(`to-${name}`, to === name);
    card.style.transform = Math.abs(dx) > 12 && Math.abs(dx) > Math.abs(dy) ? `translateX(${dx / 2}px)` : "";
  }, { passive: true });
  card.addEventListener("touchend", (event) => {
    if (!start) return;
    const touch = event.changedTouches[0];
    const to = direction(touch.clientX - start.x, touch.clientY - start.y);
    reset();
    if (to) actions[to]();
  });
  card.addEventListener("touchcancel", reset);
}
