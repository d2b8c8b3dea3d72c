import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder, writeFiles } from '../../testing/store-folder'
import { deletionRuleOf } from './deletion-rules'

const DAY = 86_400_000
const FILE = { path: '/s/a.jsonl', state: 'live', mtimeMs: 0, isIndexed: false } as const

/** Days after which the runtime of a store deletes a file that its index does not name; null: no rule is known. */
function days(kind: string, root: string, era = 'jsonl'): number | null {
  const due = deletionRuleOf({ kind, root, era })?.(FILE)
  return due == null ? null : due.at / DAY
}

describe('how long the runtimes keep transcripts, by their own settings', () => {
  it('reads Claude Code’s beside its projects, and its default where they are absent or broken', () => {
    const home = temporaryFolder()
    writeFiles(home, { 'projects/p/a.jsonl': '' })
    expect(days('claude-code', join(home, 'projects'))).toBe(30)
    writeFileSync(join(home, 'settings.json'), '{ "cleanupPeriodDays": 365 }')
    expect(days('claude-code', join(home, 'projects'))).toBe(365)
    expect(days('claude-code', home)).toBe(365)
    writeFileSync(join(home, 'settings.json'), '{ "cleanupPeriodDays": ')
    expect(days('claude-code', home)).toBe(30)
  })

  it('reads OpenClaw’s of its state folder, and knows none where there are none, or of a database', () => {
    const home = temporaryFolder()
    writeFiles(home, { 'agents/main/sessions/a.jsonl': '' })
    expect(days('openclaw', home)).toBeNull()
    writeFileSync(join(home, 'openclaw.json'), '{ "meta": { "lastTouchedVersion": "2026.7.1" } }')
    expect(days('openclaw', home)).toBe(30)
    expect(days('openclaw', home, 'sqlite')).toBeNull()
    const version = '"meta": { "lastTouchedVersion": "2026.2.1" }'
    writeFileSync(join(home, 'openclaw.json'), `{ ${version} }`)
    expect(days('openclaw', home)).toBeNull()
    writeFileSync(
      join(home, 'openclaw.json'),
      `{ ${version}, "session": { "maintenance": { "mode": "enforce", "pruneAfter": "14d" } } }`,
    )
    expect(days('openclaw', home)).toBe(14)
  })

  it('knows none of pi, nor of a runtime that it does not know', () => {
    expect(days('pi', '/s')).toBeNull()
    expect(days('codex', '/s')).toBeNull()
  })
})
