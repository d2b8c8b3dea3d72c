import { mutate } from './mutate'

/** Damage of the kinds that only transcripts of Claude Code have, after damage that all have; the same for one seed. */
export function mutateClaudeCode(transcript: Buffer, seed: number): Buffer {
  const { bytes } = mutate(transcript, seed)
  const lines = bytes.toString('latin1').split('\n')
  const pick = (salt: number) => Math.abs(Math.imul(seed + salt, 0x9e3779b1)) % Math.max(1, lines.length)
  const change = WAYS[seed % WAYS.length]
  const at = pick(1)
  const other = lines[pick(2)] ?? ''
  if (change !== undefined) lines[at] = change(lines[at] ?? '', other)
  return Buffer.from(lines.join('\n'), 'latin1')
}

const uuidOf = (line: string) => /"uuid":"([^"]+)"/.exec(line)?.[1] ?? 'x'

const WAYS: readonly ((line: string, other: string) => string)[] = [
  (line) => line,
  (line) => line.replace(/"parentUuid":"[^"]*"/, '"parentUuid":"00000000-nowhere"'),
  (line, other) => line.replace(/"parentUuid":(?:"[^"]*"|null)/, `"parentUuid":"${uuidOf(other)}"`),
  (line, other) => line.replace(/"uuid":"[^"]*"/, `"uuid":"${uuidOf(other)}"`),
  (line) => line.replace(/"tool_use_id":"[^"]*"/, '"tool_use_id":"nothing"'),
  (line) => line.replace(/"type":"tool_use","id":"[^"]*"/, '"type":"tool_use","id":"another"'),
  (line) => line.replace(/"content":(?:\[|")/, '"content":[],"was":$&'.replace('$&', '[')),
  (line) => line.replace(/"message":\{/, '"message":null,"was":{'),
  (line, other) => `${line}${other}`,
  (line, other) => `${line.slice(0, line.length / 2)}${other}`,
]
