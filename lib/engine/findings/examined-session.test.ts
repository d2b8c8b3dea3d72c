import { describe, expect, it } from 'vitest'
import { SessionFold } from '../../core/transcript/fold/fold'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { frameSetupOf } from '../read/frame-setup'
import { examinedSession } from './examined-session'

const STORE = { id: 's1', kind: 'pi' } as const
const TRANSCRIPT = {
  ...{ id: 't1', sessionId: 'berth', key: null, agent: null, index: null },
  state: 'live',
} as const

describe('what a session is judged by', () => {
  it('has the next call worked out once, when it is asked for', () => {
    const fold = SessionFold.start(frameSetupOf(STORE, TRANSCRIPT))
    const builder = new TranscriptBuilder()
    builder.user('Begin.')
    for (const fact of builder.facts()) fold.push(fact)
    let asked = 0
    const counted = {
      totals: () => fold.totals(),
      next: () => {
        asked += 1
        return fold.next()
      },
    }
    const session = examinedSession(STORE, TRANSCRIPT, counted, () => null, null)
    expect(asked).toBe(0)
    expect(session.next()).toEqual(fold.next())
    expect(session.next()).toBe(session.next())
    expect(asked).toBe(1)
  })
})
