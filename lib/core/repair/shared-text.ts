/** More different texts than this are no names that come again and again. */
const MOST = 1000
const LONGEST = 80

const texts = new Map<string, string>()

/** The same text, kept in memory once however often it is read: names of roles, models, tools. */
export function sharedText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const known = texts.get(text)
  if (known !== undefined) return known
  if (texts.size < MOST && text.length < LONGEST) texts.set(text, text)
  return text
}
