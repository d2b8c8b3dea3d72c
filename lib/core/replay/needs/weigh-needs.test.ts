import { describe, expect, it } from 'vitest'
import { prepareSession } from '../../../engine/replay/prepare-session'
import { TranscriptBuilder } from '../../../testing/builders/transcript'
import { memorySession } from '../../../testing/memory-session'
import { NEED_KINDS, type ReplaySession } from '../replay-session'
import { SharedSpanCount } from '../spans/shared-spans'
import { precisionsOf } from './need-precision'
import { weighNeeds } from './weigh-needs'

async function sessionIn(name: string): Promise<ReplaySession> {
  const session = new TranscriptBuilder({ cwd: `/home/me/${name}` })
  session.user(`look at /home/me/${name}/src/common/file.ts and src/own/${name}.ts`)
  session.assistant(`so src/common/file.ts it is, with src/own/${name}.ts`)
  const { reader, store, transcript } = await memorySession(session.text())
  return prepareSession(reader, store, transcript)
}

const weightsOf = ({ needs, spans }: ReplaySession) =>
  new Map(Array.from(needs.span, (span, n) => [spans.texts[span], needs.weight[n] as number]))

const PRIOR = precisionsOf([]).map(({ precision }) => precision)

describe('L2 needs are weighed among sessions', () => {
  it('what other workspaces have as well weighs less, what this one alone has weighs the same', async () => {
    const count = new SharedSpanCount()
    const sessions = await Promise.all(['one', 'one', 'two', 'three'].map(sessionIn))
    for (const { owner, spanHashes } of sessions) count.add(owner, spanHashes)
    const shared = count.finish()
    expect(shared.owners).toBe(3)
    const [first] = sessions as [ReplaySession]
    const weights = weightsOf(weighNeeds(first, { shared, precision: PRIOR }))
    expect(weights.get('src/own/one.ts')).toBeCloseTo(0.4)
    expect(weights.get('src/common/file.ts')).toBeCloseTo(0.4 * (1 - Math.log(3) / Math.log(8)), 2)
    expect(weightsOf(first).get('src/common/file.ts')).toBeCloseTo(0.4)
  })

  it('what every workspace has is no need any more', async () => {
    const count = new SharedSpanCount()
    const sessions = await Promise.all(Array.from({ length: 9 }, (_, i) => sessionIn(`p${i}`)))
    for (const { owner, spanHashes } of sessions) count.add(owner, spanHashes)
    const weights = weightsOf(
      weighNeeds(sessions[0] as ReplaySession, { shared: count.finish(), precision: PRIOR }),
    )
    expect([...weights.keys()]).toEqual(['src/own/p0.ts'])
  })

  it('weighs a kind by how sure it is, with the prior where nothing tells', async () => {
    const of = (path: number) => NEED_KINDS.map((kind) => (kind === 'path' ? path : 0))
    const found = precisionsOf([
      { shown: of(1), unseen: of(1) },
      { shown: of(0), unseen: of(8) },
    ])
    expect(found.find(({ kind }) => kind === 'path')).toEqual({
      ...{ kind: 'path', precision: 0.45, shown: 1, unseen: 9 },
    })
    expect(found.find(({ kind }) => kind === 'url')?.precision).toBe(0.8)
    expect(found.find(({ kind }) => kind === 'rule')?.precision).toBe(1)
    const session = await sessionIn('one')
    const none = new SharedSpanCount().finish()
    const weighed = weighNeeds(session, { shared: none, precision: found.map(({ precision }) => precision) })
    expect(weightsOf(weighed).get('src/own/one.ts')).toBeCloseTo(0.4 * (0.45 / 0.8), 3)
  })
})
