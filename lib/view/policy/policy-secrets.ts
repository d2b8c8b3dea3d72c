import type { SourceNode, TextRange } from '../../core/policy/source-node'
import { parseSource } from '../../core/policy/source-tree'
import { coverRanges, joinRanges } from '../../core/redaction/credential-range'
import { credentialRanges } from '../../core/redaction/secrets'
import { isStandIn } from './covered-text'

/** Keys whose texts open something. */
const SECRET_KEY =
  /(token|secret|passw(or)?d|api-?_?key|private-?_?key|credential|cookie|bearer|auth(orization)?$)/i

const SHORTEST = 6

/**
 * Where credentials are in a configuration file, so that screens can cover them until they are revealed. By the name
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
  return joinRanges([...found, ...credentialRanges(text)])
}

function isSecret(key: string, value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length >= SHORTEST &&
    SECRET_KEY.test(key) &&
    !/^\$\{.*\}$/.test(value) &&
    !isStandIn(value)
  )
}

/** The text with every credential covered, as long as before; lines stay lines. */
export function withoutSecrets(text: string, file: string): string {
  return coverRanges(text, secretRanges(text, file))
}
