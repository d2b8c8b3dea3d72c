/** Words as languages write a name of them: `sinceMs`, `SinceMs`, `since_ms`, `SINCE_MS`, `since-ms`. */
export function formsOfName(words: readonly string[]): string[] {
  const capital = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return [
    `${words[0]}${capital.slice(1).join('')}`,
    capital.join(''),
    words.join('_'),
    words.join('_').toUpperCase(),
    words.join('-'),
  ]
}
