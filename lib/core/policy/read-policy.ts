import { CLAUDE_CODE_FORMAT, readClaudeCode } from './formats/claude-code'
import { CODEX_FORMAT, readCodex } from './formats/codex'
import type { PolicyFormat } from './formats/key-rule'
import { MEMFAS_FORMAT } from './formats/memfas'
import { OPENCLAW_FORMAT } from './formats/openclaw'
import { readModelWindows } from './formats/openclaw-models'
import { readProviderParams } from './formats/openclaw-params'
import { PI_FORMAT } from './formats/pi'
import { PLIMSOLL_FORMAT_NAME, PLIMSOLL_LABEL } from './formats/plimsoll'
import { VS7_FORMAT } from './formats/vs7'
import { type LoadInclude, withIncludes } from './includes'
import { readForeign, recognises } from './read-foreign'
import { readOwn } from './read-own'
import { type PolicyFile, Reading } from './reading'
import { nodeAt, type ParsedSource } from './source-tree'

/** The formats of other programs. One file may be of several: OpenClaw's holds VS7's section. */
export const FOREIGN_FORMATS: readonly PolicyFormat[] = [
  VS7_FORMAT,
  OPENCLAW_FORMAT,
  PI_FORMAT,
  MEMFAS_FORMAT,
  CLAUDE_CODE_FORMAT,
  CODEX_FORMAT,
]

/** Reads what a configuration file of any known kind says. Never throws; every fault is a problem with its line. */
export function readPolicy(source: ParsedSource, load: LoadInclude = () => null): PolicyFile {
  const reading = new Reading(source)
  if (source.root === null) return reading.result('empty', 'empty file')
  if (source.root.kind !== 'map') {
    reading.report('error', source, source.root.start, '', 'a configuration file holds keys and values')
    return reading.result('unknown', 'unknown')
  }
  if (nodeAt(source.root, ['policy']) !== null || nodeAt(source.root, ['overrides']) !== null) {
    readOwn(reading, source, source.root)
    return reading.result(PLIMSOLL_FORMAT_NAME, PLIMSOLL_LABEL)
  }
  const parts = withIncludes(reading, source, source.root, load)
  const formats = FOREIGN_FORMATS.filter((format) => parts.some((part) => recognises(format, part)))
  for (const format of formats) for (const part of parts) readForeign(reading, part, format)
  for (const part of parts) {
    readModelWindows(reading, part)
    readProviderParams(reading, part)
    if (formats.includes(CLAUDE_CODE_FORMAT)) readClaudeCode(reading, part)
    if (formats.includes(CODEX_FORMAT)) readCodex(reading, part)
  }
  const [first] = formats
  if (first === undefined) return reading.result('none', 'no context settings')
  return reading.result(first.name, formats.map((format) => format.label).join(', '))
}
