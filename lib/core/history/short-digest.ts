/** Nine letters and digits made of a text: two rounds of FNV-1a, which spreads short texts well enough for names. */
export function shortDigest(text: string): string {
  const round = (start: number) => {
    let hash = start
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
    return (hash >>> 0).toString(36).padStart(7, '0')
  }
  return `${round(0x811c9dc5)}${round(0x1b873593)}`.slice(-9)
}
