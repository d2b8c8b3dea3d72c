/** What a search or a printed line of a shell command has in quotation marks. */
const OF_COMMAND =
  /\b(echo|printf|rg|[ef]?grep)\b(?: +-[\w-]+(?:[= ]\d+)?)* +(?:"((?:[^"\\\n]|\\.){1,120})"|'([^'\n]{1,120})')/g
/** A label that a command prints between its outputs: rules of signs, variables, ends of lines. */
const LABEL = /-{2,}|={2,}|#{2,}|\$|\\n/
/** What only a pattern has. */
const PATTERN = /^\^|\$$|\\[bswd|.(]|\.\*|\|/
/** Fields that are asked of `gh`: it knows their names. */
const FIELDS = /--json[ =]([\w,]+)/g
/** What is picked out of an answer in JSON, and the names of its fields. */
const FILTER = /(?:\bjq|--jq)(?: +-\w+)* +(?:"((?:[^"\\]|\\.){1,400})"|'([^']{1,400})')/g
const FIELD = /\b[a-z]\w{5,}/gi

/**
 * Texts that a call coins, so that no earlier text is needed for them: patterns that it searches for, labels that it
 * prints between outputs, and the fields that a command line tool or the interface of a service has. Linear in the length.
 */
export function textsCoinedIn(text: string): string[] {
  const found: string[] = []
  for (const [, command, double, single] of text.matchAll(OF_COMMAND)) {
    const quoted = double ?? single ?? ''
    const sign = command === 'echo' || command === 'printf' ? LABEL : PATTERN
    if (sign.test(quoted)) found.push(quoted)
  }
  for (const [, fields = ''] of text.matchAll(FIELDS)) found.push(...fields.split(','))
  for (const [, double, single] of text.matchAll(FILTER))
    found.push(...((double ?? single ?? '').match(FIELD) ?? []))
  return found
}
