import { describe, expect, it } from 'vitest'
import { isTranscriptName, readTranscriptName } from './transcript-name'

const UUID = '070e4043-a33e-4772-bf47-88b89b8500ab'
const OTHER = '1048b94b-fa72-4af8-9b44-6702fe31a7d7'

describe('names of transcript files (M1)', () => {
  it.each([
    [`${UUID}.jsonl`, 'live', UUID],
    ['ws-mdm-7.jsonl', 'live', 'ws-mdm-7'],
    [`${UUID}-topic-42.jsonl`, 'live', UUID],
    [`2026-04-02T05-01-37-000Z_${UUID}-topic-42.jsonl`, 'live', UUID],
    ['notes.old.jsonl', 'live', 'notes.old'],
    [`2026-04-02T05-01-37-000Z_${UUID}.jsonl`, 'live', UUID],
    [`${UUID}.jsonl.reset.2026-11-21T03-06-14.123Z`, 'reset', UUID],
    [`${UUID}.jsonl.deleted.2026-11-21T03-06-14Z`, 'deleted', UUID],
    [`${UUID}.jsonl.deleted.1775106097`, 'deleted', UUID],
    [`${UUID}.jsonl.deleted.2026-11-21T03-06-14.123Z.0123456789abcdef0123456789abcdef`, 'deleted', UUID],
    [`${UUID}.jsonl.bak.2026-11-21T03-06-14.123Z`, 'backup', UUID],
    [`${UUID}.jsonl.bak-4711-1775106097368`, 'backup', UUID],
    [`${UUID}.jsonl.pre-doctor-branch-repair-2026-11-21T03-06-14-123Z.bak`, 'backup', UUID],
    [`${UUID}.jsonl.corrupt-2026-11-21T03-06-14-123Z-0a1b2c3d.jsonl`, 'backup', UUID],
    [`${UUID}.checkpoint.${OTHER}.jsonl`, 'checkpoint', UUID],
    [`agent_main_main.${UUID}.jsonl.imported-1795233230492`, 'imported', UUID],
    ['session.ws-mdm-7.jsonl.imported-1795233230492.2', 'imported', 'ws-mdm-7'],
    [`${UUID}.jsonl.migrated`, 'imported', UUID],
    [`${UUID}.jsonl.migrated.3`, 'imported', UUID],
  ] as const)('%s is %s', (name, state, sessionId) => {
    expect(readTranscriptName(name)).toEqual({ sessionId, state, compressed: false })
    expect(isTranscriptName(name)).toBe(true)
  })

  it('compressed archives keep their state; a compressed transcript of no other state is a backup', () => {
    expect(
      readTranscriptName(`${UUID}.jsonl.reset.2026-11-21T03-06-14.123Z.0123456789abcdef0123456789abcdef.zst`),
    ).toEqual({ sessionId: UUID, state: 'reset', compressed: true })
    expect(readTranscriptName(`${UUID}.jsonl.zst`)).toMatchObject({ state: 'backup', compressed: true })
  })

  it.each([
    'sessions.json',
    'sessions.json.bak.1775106097368',
    `${UUID}.trajectory.jsonl`,
    `${UUID}.trajectory-path.json`,
    `agent_main_main.${UUID}.trajectory.jsonl.imported-1795233230492`,
    `${UUID}.jsonl.lock`,
    `${UUID}.jsonl.${OTHER}.tmp`,
    'skills-prompts',
    '.jsonl',
  ])('%s is no transcript', (name) => {
    expect(readTranscriptName(name)).toBeNull()
    expect(isTranscriptName(name)).toBe(false)
  })
})
