/** Taken once, so that nothing which patches a prototype later changes what is counted: budgets hang on it. */
const unitAt: (text: string, at: number) => number = Function.prototype.call.bind(String.prototype.charCodeAt);

/** Bytes that `text` takes in UTF-8. A lone surrogate counts as the three bytes of U+FFFD, as every encoder writes it. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = unitAt(text, i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && (unitAt(text, i + 1) & 0xfc00) === 0xdc00) {
      bytes += 2;
      i += 1;
    } else bytes += 2;
  }
  return bytes;
}

/** The longest prefix of `text` that takes at most `bytesMax` bytes; never cuts inside a code point. */
export function utf8Prefix(text: string, bytesMax: number): string {
  if (text.length * 3 <= bytesMax) return text;
  let bytes = 0;
  let i = 0;
  while (i < text.length) {
    const point = text.codePointAt(i) ?? 0;
    const size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (bytes + size > bytesMax) break;
    bytes += size;
    i += point < 0x10000 ? 1 : 2;
  }
  return text.slice(0, i);
}
