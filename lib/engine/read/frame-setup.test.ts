import { describe, expect, it } from 'vitest'
import { listedWindow } from '../../core/tokens/listed-models'
import { catalogueKey, frameSetupOf, setupKeyOf } from './frame-setup'
import type { FoundTranscript } from './ports'

type Index = NonNullable<FoundTranscript['index']>
const index = (over: object = {}) => ({ sessionId: 's', ...over }) as unknown as Index
const setup = (over: Partial<Pick<FoundTranscript, 'index' | 'windows'>> = {}) =>
  frameSetupOf({ kind: 'openclaw' }, { index: null, ...over })

describe('what the frames of a transcript are made with', () => {
  it('nothing is known without an index', () => {
    expect(setup()).toEqual({
      runtime: 'openclaw',
      hints: { index: null, listed: listedWindow },
      report: null,
    })
  })

  it('the window of the index with its model, the catalogue of the runtime, and the report on the fixed part', () => {
    const report = { total: 1 } as unknown as Index['report']
    const windows = { 'a/m': 9_000 }
    const named = frameSetupOf(
      { kind: 'pi' },
      { index: index({ contextWindow: 8_000, model: 'a/m', report }), windows },
    )
    expect(named).toEqual({
      ...{ runtime: 'pi', report },
      hints: { index: { tokens: 8_000, model: 'a/m' }, catalogue: windows, listed: listedWindow },
    })
    expect(setup({ index: index({ contextWindow: 8_000 }) }).hints.index).toEqual({
      tokens: 8_000,
      model: null,
    })
    expect(setup({ index: index({ model: 'a/m' }) }).hints.index).toBeNull()
    expect('catalogue' in setup().hints).toBe(false)
  })

  it('are made again when window, model, report, catalogue or list change, and not otherwise', () => {
    const plain = setupKeyOf(setup())
    expect(setupKeyOf(setup())).toBe(plain)
    const { listed: _, ...unlisted } = setup().hints
    const keys = [
      plain,
      setupKeyOf(setup({ index: index({ contextWindow: 8_000 }) })),
      setupKeyOf(setup({ index: index({ contextWindow: 9_000 }) })),
      setupKeyOf(setup({ index: index({ contextWindow: 8_000, model: 'a/m' }) })),
      setupKeyOf(setup({ index: index({ report: { total: 1 } }) })),
      setupKeyOf(setup({ windows: { 'a/m': 1 } })),
      setupKeyOf(setup({ windows: { 'a/m': 2 } })),
      setupKeyOf({ ...setup(), hints: unlisted }),
    ]
    expect(new Set(keys).size).toBe(keys.length)
    const other = setup({ index: index({ report: { total: 2 } }) })
    expect(setupKeyOf(other), 'a later report').toBe(keys[4])
  })

  it('a catalogue is known by what it says', () => {
    expect(catalogueKey(undefined)).toBe('')
    const windows: Record<string, number> = { 'a/m': 1 }
    const key = catalogueKey(windows)
    expect(catalogueKey({ 'a/m': 1 })).toBe(key)
    expect(catalogueKey({ 'a/m': 2 })).not.toBe(key)
    windows['b/m'] = 2
    expect(catalogueKey(windows), 'no caller changes one in place').toBe(key)
  })
})
