import { RequestLedger } from '../../core/sources/claude-code/requests'
import type { StoreKind } from '../../engine/read/ports'
import { claudeCodeDiscovery } from './claude-code/discovery'
import { claudeCodeReading } from './claude-code/reading'
import { claudeCodeSettings } from './claude-code/settings'
import { codexDiscovery } from './codex/discovery'
import { codexReading } from './codex/reading'
import { codexSettings } from './codex/settings'
import { openCodeDiscovery } from './opencode/discovery'
import { openCodeReading } from './opencode/reading'
import { openCodeSettings } from './opencode/settings'
import type { Source } from './source'

/** All runtimes whose transcripts are translated. A new one is a row. */
export const SOURCES: readonly Source[] = [
  {
    kind: 'claude-code',
    name: 'Claude Code',
    discovery: claudeCodeDiscovery,
    reading: claudeCodeReading,
    requests: (hash) => new RequestLedger(hash),
    settings: claudeCodeSettings,
  },
  {
    kind: 'codex',
    name: 'Codex',
    discovery: codexDiscovery,
    reading: codexReading,
    requests: null,
    settings: codexSettings,
  },
  {
    kind: 'opencode',
    name: 'OpenCode',
    discovery: openCodeDiscovery,
    reading: openCodeReading,
    requests: null,
    settings: openCodeSettings,
  },
]

/** The source of a kind of store; undefined for pi and OpenClaw, whose form is ours. */
export function sourceNamed(kind: StoreKind): Source | undefined {
  return SOURCES.find((source) => source.kind === kind)
}
