// Numbers and shares as people read and write them.

export const number = (value) => value.toLocaleString("en");
export const many = (value, what) => `${number(value)} ${what}${value === 1 ? "" : "s"}`;

/// A share in percent, never rounded up: what is proved or asked for is not more than that.
export function percent(share, digits = 0) {
  const scale = 10 ** digits;
  return String(Math.floor(100 * scale * share + 1e-6) / scale);
}

/// `80`, `80 %`, `.8` and `0,8` are all a share of 0.8; not a number where it is none.
export function shareOf(text) {
  const plain = text.replace("%", "").replace(",", ".").trim();
  const given = plain === "" ? NaN : Number(plain);
  return given < 1 && !text.includes("%") ? given : given / 100;
}
