import { describe, expect, it } from 'vitest'
import { prepareSession } from '../../engine/replay/prepare-session'
import { TranscriptBuilder } from '../builders/transcript'
import { memorySession } from '../memory-session'
import { countRarity } from './count-rarity'
import { RarityTable } from './rarity-table'

describe('L2 rarity over sessions', () => {
  it('counts each folder that is worked in once, and lowers what a need weighs', async () => {
    const table = new RarityTable()
    const sessions = []
    for (const name of ['one', 'one', 'two', 'three']) {
      const session = new TranscriptBuilder({ cwd: `/home/me/${name}` })
      session.user(`look at /home/me/${name}/src/common/file.ts and src/own/${name}.ts`)
      session.assistant(`so src/common/file.ts it is, with src/own/${name}.ts`)
      sessions.push(await memorySession(session.text()))
    }
    for (const { reader, store, transcript } of sessions) await countRarity(reader, store, transcript, table)
    expect(table.places).toBeGreaterThan(2.9)
    const [first] = sessions
    if (first === undefined) throw new Error('there is one')
    const { needs, spans } = await prepareSession(first.reader, first.store, first.transcript, table.rarity)
    const weights = new Map(Array.from(needs.span, (span, n) => [spans.texts[span], needs.weight[n]]))
    expect(weights.get('src/own/one.ts')).toBeCloseTo(0.4)
    expect(weights.get('src/common/file.ts')).toBeLessThan(0.25)
  })
})
