/** The same text with one full stop at its end, however it ended: what others said is put into our sentences. */
export function withFullStop(text: string): string {
  const trimmed = text.trimEnd()
  return /[.!?…]$/.test(trimmed) ? trimmed.replace(/(?<!\.)\.{2}$/, '.') : `${trimmed}.`
}
