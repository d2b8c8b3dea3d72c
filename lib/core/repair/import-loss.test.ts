import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { checkLines } from '../../testing/repair/check-lines'
import { importLoss } from './import-loss'

describe('M13 what an import into the database would lose', () => {
  const loss = (text: string) => importLoss(checkLines(text, 'late'))
  const session = (damage: (lines: string[]) => void) => {
    const t = new TranscriptBuilder()
    for (let i = 0; i < 5; i++) t.user(`part ${i}`)
    damage(t.lines)
    return t.text()
  }

  it('is all behind the first bad line, unless it is repaired before', () => {
    expect(loss(session(() => undefined))).toBeNull()
    const damaged = session((lines) => lines.splice(3, 0, '{}'))
    expect(loss(damaged)).toEqual({ entries: 7, lost: 4, lostAfterRepair: 1 })
    const joined = session((lines) => lines.splice(3, 2, `${lines[3]}${lines[4]}`))
    expect(loss(joined)).toEqual({ entries: 6, lost: 3, lostAfterRepair: 0 })
  })

  it('is not known of a file without a header, or of another program', () => {
    expect(
      loss('{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"x"}}\n{}\n'),
    ).toBeNull()
    expect(loss('{"parentUuid":null,"type":"user"}\n')).toBeNull()
  })
})
