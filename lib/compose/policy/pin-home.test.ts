import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { foundStore } from '../../adapters/discovery/found-store'
import type { StoreKind } from '../../engine/read/ports'
import { readSetup } from '../../testing/read-setup'
import { temporaryFolder, writeFiles } from '../../testing/store-folder'
import { pinHome } from './pin-home'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

function home(kind: StoreKind, root: string, agent: string | null = null) {
  const read = readSetup({ HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }, folder)
  if (!read.ok) throw new Error(read.problems.join())
  const store = foundStore(kind, 'jsonl', join(folder, root), 'test', 'ok')
  const found = pinHome(read.setup, [], [store])(store, { agent })
  return found.can ? found.path.slice(folder.length + 1) : found.why
}

describe('the file of instructions of a runtime', () => {
  it('is in its settings folder, the one that counts first where there are several', () => {
    writeFiles(folder, { '.claude/projects/-w/s.jsonl': '', '.codex/sessions/s.jsonl': '' })
    expect(home('claude-code', '.claude/projects')).toBe('.claude/CLAUDE.md')
    expect(home('codex', '.codex/sessions')).toBe('.codex/AGENTS.md')
    // One without a text does not count.
    writeFiles(folder, { '.codex/AGENTS.override.md': '', '.codex/AGENTS.md': 'Mine.\n' })
    expect(home('codex', '.codex/sessions')).toBe('.codex/AGENTS.md')
    writeFiles(folder, { '.codex/AGENTS.override.md': 'Mine.\n' })
    expect(home('codex', '.codex/sessions')).toBe('.codex/AGENTS.override.md')
    expect(home('pi', '.pi/agent/sessions')).toBe('.pi/agent/AGENTS.md')
  })

  it('is none where no settings lie beside the transcripts, of a runtime without one, and of an agent with another workspace', () => {
    expect(home('pi', 'copies')).toContain('beside no settings')
    expect(home('opencode', '.local/share/opencode')).toMatch(/nothing can be pinned|beside no settings/)
    writeFiles(folder, { 'claw/agents/main/sessions/s.jsonl': '', 'claw/workspace/x': '' })
    expect(home('openclaw', 'claw', 'main')).toBe('claw/workspace/AGENTS.md')
    expect(home('openclaw', 'claw', 'other')).toContain('There is no workspace of the agent other')
  })
})
