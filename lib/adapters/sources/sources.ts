import type { StoreKind } from '../../engine/read/ports'
import { claudeCode } from './claude-code'
import { codex } from './codex'
import type { Source } from './source'

/** All runtimes whose transcripts are translated. */
export const SOURCES: readonly Source[] = [claudeCode, codex]

/** The source of a kind of store; undefined for pi and OpenClaw, whose form is ours. */
export function sourceNamed(kind: StoreKind): Source | undefined {
  return SOURCES.find((source) => source.kind === kind)
}
