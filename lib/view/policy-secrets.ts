import { parseSource, type SourceNode, type TextRange } from '../core/policy/source-tree'

/** Keys whose texts open something. */
const SECRET_KEY =
  /(token|secret|passw(or)?d|api-?_?key|private-?_?key|credential|cookie|bearer|auth(orization)?$)/i

/** Texts that open something, whatever they are called. */
const SECRET_TEXT =
  /\b(sk-[\w-]{16,}|gh[pousr]_\w{20,}|xox[abps]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*)/g

const SHORTEST = 6

/**
 * Where credentials stand in a configuration file, so that screens can cover them until they are revealed. By the name
 * of their key, and by their form. Offsets into the text, ascending, not overlapping.
 */
export function secretRanges(text: string, file: string): TextRange[] {
  const found: TextRange[] = []
  const { root } = parseSource(text, file)
  const walk = (node: SourceNode, key: string) => {
    if (node.kind === 'map') for (const entry of node.entries) walk(entry.value, entry.key)
    else if (node.kind === 'list') for (const item of node.items) walk(item, key)
    else if (isSecret(key, node.value)) found.push({ start: node.start, end: node.end })
  }
  if (root !== null) walk(root, '')
  for (const match of text.matchAll(SECRET_TEXT)) {
    found.push({ start: match.index, end: match.index + match[0].length })
  }
  return joined(found)
}

function isSecret(key: string, value: unknown): boolean {
  return (
    typeof value === 'string' && value.length >= SHORTEST && SECRET_KEY.test(key) && !/^\$\{.*\}$/.test(value)
  )
}

function joined(ranges: readonly TextRange[]): TextRange[] {
  const result: TextRange[] = []
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last !== undefined && range.start <= last.end) {
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, range.end) }
    } else result.push(range)
  }
  return result
}

/** The text with every credential covered, as long as before; lines stay lines. */
export function withoutSecrets(text: string, file: string): string {
  let covered = ''
  let at = 0
  for (const { start, end } of secretRanges(text, file)) {
    covered += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, '•')
    at = end
  }
  return covered + text.slice(at)
}
