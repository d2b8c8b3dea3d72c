import { describe, expect, it } from 'vitest'
import { estimated, measured, UNKNOWN } from '../tokens/figure'
import { seenJson, seenOfFrame } from './seen'

const WINDOW = { tokens: 4_096, source: 'cut' } as const

describe('B5 what a provider saw of a call', () => {
  it.each<[string, Parameters<typeof seenOfFrame>[0], ReturnType<typeof seenOfFrame>]>([
    [
      'is all where nothing shows a cut',
      { seenTokens: null, total: measured(9_000), window: { tokens: 200_000, source: 'model' } },
      { kind: 'all' },
    ],
    [
      'is what it cut the prompt to',
      { seenTokens: 4_096, total: measured(9_000), window: WINDOW },
      { kind: 'cut', seenTokens: 4_096 },
    ],
    [
      'is nothing at all of a prompt that was cut to nothing',
      { seenTokens: 0, total: measured(9_000), window: WINDOW },
      { kind: 'cut', seenTokens: 0 },
    ],
    [
      'will be cut, of a next prompt over a limit that is proved',
      { seenTokens: null, total: estimated(4_097, 20), window: WINDOW },
      { kind: 'cut', seenTokens: 4_096 },
    ],
    [
      'will be all of a next prompt that fills the limit',
      { seenTokens: null, total: estimated(4_096, 20), window: WINDOW },
      { kind: 'all' },
    ],
    [
      'was all of a prompt that was measured, whatever its size',
      { seenTokens: null, total: measured(4_097), window: WINDOW },
      { kind: 'all' },
    ],
    [
      'is taken to be all of a prompt of unknown size',
      { seenTokens: null, total: UNKNOWN, window: WINDOW },
      { kind: 'all' },
    ],
    [
      'is all in a window that no cut has proved',
      { seenTokens: null, total: estimated(9_000, 20), window: { tokens: 4_096, source: 'model' } },
      { kind: 'all' },
    ],
  ])('%s', (_name, frame, seen) => {
    expect(seenOfFrame(frame)).toEqual(seen)
  })

  it('is said to programs by its kind, with what belongs to it beside it', () => {
    const owner = { harness: 'codex', session: null }
    expect(seenJson({ kind: 'all' })).toEqual({ seen: 'all' })
    expect(seenJson({ kind: 'cut', seenTokens: 5 })).toEqual({ seen: 'cut', seenTokens: 5 })
    expect(seenJson({ kind: 'mirror', owner })).toEqual({ seen: 'mirror', owner })
  })
})
