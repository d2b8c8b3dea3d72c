/** More different texts than this are no names that come again and again. */
const MOST = 1000
const LONGEST = 80

const texts = new Map<string, string>()

/**
 * The same text, kept in memory once however often it is read: names of roles, models, tools.
 * @param kept those that are kept
 */
export function sharedText(text: string | undefined, kept = texts): string | undefined {
  if (text === undefined) return undefined
  const known = kept.get(text)
  if (known !== undefined) return known
  if (kept.size < MOST && text.length < LONGEST) kept.set(text, text)
  return text
}
