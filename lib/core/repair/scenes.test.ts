import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { checkLines } from '../../testing/repair/check-lines'
import { playScene } from '../../testing/repair/play-scene'
import { SCENES } from '../../testing/repair/scenes'
import { TREE_SCENES } from '../../testing/repair/tree-scenes'

describe('M10 M12 what is found, what is done, and what is there then', () => {
  it.each([...SCENES, ...TREE_SCENES])(
    '$name',
    async ({ make, edit = (text: string) => text, found, after, steps, early }) => {
      const session = new TranscriptBuilder()
      make(session)
      const text = edit(session.text())
      expect(await playScene(text)).toMatchObject({ found, after, steps, again: [] })
      expect(await playScene(text, 'early')).toMatchObject({ ...(early ?? { found, after }), again: [] })
    },
  )
})

describe('M10 lines that are too long to be looked at', () => {
  it('stay as they are, and what names them still finds them', () => {
    const t = new TranscriptBuilder()
    t.user('go')
    t.user('x'.repeat(2_000))
    t.user('on')
    const check = checkLines(t.text(), 'late', 1_000)
    expect(check.findings).toEqual([])
    expect(check.notes).toMatchObject([{ class: 'long-line', line: 3, count: 1 }])
    expect(check.entries).toMatchObject({ before: 4, dropped: 0 })
  })

  it('whose beginning names nothing stay as well; what followed goes on from the entry before', () => {
    const t = new TranscriptBuilder()
    t.user('go')
    t.raw(`{"data":"${'x'.repeat(2_000)}`)
    t.user('on')
    const check = checkLines(t.text(), 'late', 1_000)
    expect(check.findings).toEqual([])
    expect(check.notes).toMatchObject([{ class: 'long-line', line: 3 }])
  })

  it('have their place in the conversation: a call before them that has no result gets one', () => {
    const t = new TranscriptBuilder()
    t.user('go')
    t.assistant('', { calls: ['a'] })
    t.user('x'.repeat(2_000))
    t.user('on')
    const { findings, plan } = checkLines(t.text(), 'late', 1_000)
    expect(findings).toMatchObject([{ class: 'missing-result', line: 3 }])
    expect(plan.steps.map(({ kind, line }) => `${kind} ${line}`)).toEqual(['insert 3', 'change 4'])
  })
})
