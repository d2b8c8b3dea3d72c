import { describe, expect, it } from 'vitest'
import { sessionOfPath } from '../../../testing/builders/replay-sessions'
import { NO_PRICES } from '../../tokens/own-prices'
import { EVERYTHING } from '../policies/everything'
import { maskOlder } from '../policies/mask-results'
import { replaySession } from '../replay'
import type { ReplayPolicy } from '../replay-policy'
import { CHUNK_FLAGS, NEED_KINDS, type ReplaySession } from '../replay-session'
import { RULE_NEED } from './session-shape'

/** Each answer says 200 tokens. What is read costs 0.1, what is written 1.25, what is said 5 (Claude Sonnet 4.5). */
const SAID = 200 * 5
const read = (tokens: number) => tokens * 0.1
const written = (tokens: number) => tokens * 1.25

const PATH = 'u=2000 | a:x=20 r:x=500 | a=30 u=10'

/** The session with one need: what a call wrote was in some chunks. */
function needing(
  text: string,
  at: number,
  sources: readonly number[],
  kind = NEED_KINDS.indexOf('path'),
): ReplaySession {
  const session = sessionOfPath(text)
  return {
    ...session,
    needs: {
      count: 1,
      at: Int32Array.of(at),
      weight: Float32Array.of(0.5),
      kind: Uint8Array.of(kind),
      span: Int32Array.of(0),
      offset: Int32Array.of(0, sources.length),
      source: Int32Array.from(sources),
    },
    spans: {
      count: 1,
      texts: ['src/dock.ts'],
      kind: Uint8Array.of(kind),
      tokens: Int32Array.of(3),
      offset: Int32Array.of(0, sources.length),
      holder: Int32Array.from(sources),
    },
  }
}

describe('what calls cost', () => {
  it('reads from the cache what a prompt has in common with the one before, and writes the rest', () => {
    const { costAll, costSent, usdAll } = replaySession(sessionOfPath(PATH), EVERYTHING, NO_PRICES)
    const cost = written(2050) + (read(2050) + written(520)) + (read(2570) + written(40)) + 3 * SAID
    expect([costAll, costSent]).toEqual([cost, cost])
    expect(usdAll).toBeCloseTo((cost * 3) / 1e6, 10)
  })

  it('writes everything anew after a pause that is longer than the cache lives', () => {
    const paused = sessionOfPath('u=2000 | a:x=20 r:x=500 |900 a=30 u=10')
    const cost = written(2050) + (read(2050) + written(520)) + written(2610) + 3 * SAID
    expect(replaySession(paused, EVERYTHING, NO_PRICES).costAll).toBe(cost)
  })

  it('writes everything anew where the recorded call started cold, under any policy', () => {
    const session = sessionOfPath(PATH)
    const cold = { ...session, fit: { ...session.fit, coldStarts: [1] } }
    const cost = written(2050) + written(2570) + (read(2570) + written(40)) + 3 * SAID
    expect(replaySession(cold, EVERYTHING, NO_PRICES)).toMatchObject({ costAll: cost, costSent: cost })
  })

  it('pays for a change at the beginning with all that is behind it', () => {
    const { costSent, tokensSent, rewrites } = replaySession(sessionOfPath(PATH), maskOlder(1), NO_PRICES)
    // The result leaves a marker of 12 tokens; up to it the prompt is as it was.
    const cost = written(2050) + (read(2050) + written(520)) + (read(2070) + written(52)) + 3 * SAID
    expect([costSent, tokensSent, rewrites]).toEqual([cost, 2050 + 2570 + 2122, 1])
  })

  it('counts at the operator’s own prices, and says nothing in dollars without any', () => {
    const session = sessionOfPath(PATH)
    const own = { 'claude-sonnet-4-5': { input: 10, output: 20, cacheRead: 5 } }
    const cost = 2050 + (2050 / 2 + 520) + (2570 / 2 + 40) + 3 * 200 * 2
    const { costAll, usdAll } = replaySession(session, EVERYTHING, own)
    expect([costAll, usdAll]).toEqual([cost, expect.closeTo((cost * 10) / 1e6, 10)])
    const unknown = { ...session, models: [{ provider: null, model: 'dock-1' }] }
    expect(replaySession(unknown, EVERYTHING, NO_PRICES).usdAll).toBeNull()
    expect(replaySession(unknown, EVERYTHING, NO_PRICES).costAll).toBeGreaterThan(0)
  })

  it('reads nothing where calls report that there is no cache', () => {
    const session = sessionOfPath(PATH)
    const calls = { ...session.calls, cacheRead: new Int32Array(3), cacheWrite: new Int32Array(3) }
    const { costAll } = replaySession({ ...session, calls }, EVERYTHING, NO_PRICES)
    expect(costAll).toBe(written(2050 + 2570 + 2610) + 3 * SAID)
  })
})

describe('what becomes of needs', () => {
  const verdict = (session: ReplaySession) => {
    const { needs, missTokens, metWithoutRecovery } = replaySession(session, maskOlder(1), NO_PRICES)
    const found = needs.met > 0 ? 'met' : needs.pointer > 0 ? 'pointer' : 'lost'
    return [found, missTokens, metWithoutRecovery]
  }
  const located = (session: ReplaySession) => ({
    ...session,
    chunks: { ...session.chunks, flags: session.chunks.flags.fill(CHUNK_FLAGS.locator, 2, 3) },
  })

  it('any source that is there meets one', () => {
    expect(verdict(needing(PATH, 2, [1, 2]))).toEqual(['met', 0, 0.5])
    expect(verdict(needing(PATH, 1, [2]))).toEqual(['met', 0, 0.5])
  })

  it('a summary that holds a copy or a path meets it', () => {
    for (const kind of ['copy', 'path'] as const) {
      const session = needing(PATH, 2, [2], NEED_KINDS.indexOf(kind))
      const holding: ReplayPolicy = {
        ...maskOlder(1),
        start: (walk) => {
          const mask = maskOlder(1).start(walk)
          return (call) => {
            mask(call)
            walk.hold([0])
          }
        },
      }
      expect(replaySession(session, holding, NO_PRICES).needs).toMatchObject({ met: 0.5, lost: 0 })
      expect(replaySession(session, maskOlder(1), NO_PRICES).needs.lost).toBe(0.5)
    }
  })

  it('a marker says where to get it again where its call names a place, else it is lost; both are fetched', () => {
    expect(verdict(needing(PATH, 2, [2]))).toEqual(['lost', 500, 0])
    expect(verdict(located(needing(PATH, 2, [2])))).toEqual(['pointer', 500, 0])
  })

  it('a call about its file that is there says where to get it as well, and so does what names the file', () => {
    const session = needing(PATH, 2, [2])
    const about = (...chunks: readonly number[]) => ({
      ...session,
      chunks: { ...session.chunks, file: session.chunks.file.map((_, i) => (chunks.includes(i) ? 0 : -1)) },
    })
    const named = {
      ...about(2),
      spans: { ...session.spans, offset: Int32Array.of(0, 2), holder: Int32Array.of(0, 2) },
    }
    expect([about(2), about(1, 2), named].map(verdict)).toEqual([
      ['lost', 500, 0],
      ['pointer', 500, 0],
      ['pointer', 500, 0],
    ])
  })

  it('what was fetched is there from then on, and that is paid', () => {
    const long = `${PATH} | a=5 | a=5`
    const session = needing(long, 2, [2])
    const twice = {
      ...session,
      needs: {
        ...session.needs,
        ...{
          count: 2,
          at: Int32Array.of(2, 4),
          weight: Float32Array.of(0.5, 0.25),
          span: Int32Array.of(0, 0),
        },
        ...{ kind: Uint8Array.of(0, 0), offset: Int32Array.of(0, 1, 2), source: Int32Array.of(2, 2) },
      },
    }
    const { needs, missTokens, missCost, metWithoutRecovery, tokensSent } = replaySession(
      twice,
      maskOlder(1),
      NO_PRICES,
    )
    expect([needs.lost, needs.met, metWithoutRecovery, missTokens]).toEqual([0.5, 0.25, 0, 500])
    expect(missCost).toBe(read(2122) + written(500) + 100 * 5)
    expect(tokensSent).toBe(2050 + 2570 + 2622 + 2627 + 2632)
  })

  it('a rule counts by itself, and is not fetched again', () => {
    const { needs, rules, missTokens } = replaySession(
      needing(PATH, 2, [2], RULE_NEED),
      maskOlder(1),
      NO_PRICES,
    )
    expect([needs.all, rules, missTokens]).toEqual([0, { all: 0.5, met: 0, pointer: 0, lost: 0.5 }, 0])
  })
})
