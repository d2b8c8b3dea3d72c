import { describe, expect, it } from 'vitest'
import type { ClientSetting, ClientSettingName } from '../formats/client-setting'
import { claudeCodeCompaction, claudeCodeLine } from './claude-code-rules'

const says = (
  name: ClientSettingName,
  value: ClientSetting['value'],
  model: string | null = null,
): ClientSetting => ({ ...{ name, model, value, key: name, file: 'settings.json', line: 1 } })

const SONNET = 'claude-sonnet-4-6'
const NEWEST = '2.1.330'

/** What the settings of one file make of the compaction. */
const compactionWith = (
  said: ClientSetting[],
  version: string | null = NEWEST,
  model: string | null = SONNET,
) => claudeCodeCompaction([said], version, model)

describe('the rules of a release of Claude Code', () => {
  it.each([
    ['0.2.9', 'share'],
    ['1.0.89', 'share'],
    ['1.0.90', 'buffer'],
    ['1.10', 'buffer'],
    ['2.1', 'buffer'],
    ['2.1.37', 'buffer'],
    ['2.1.38', 'capped'],
    ['2.1.38-beta.1', 'capped'],
    ['2.2.0', 'capped'],
    ['3.0.0', 'capped'],
    [null, 'capped'],
    ['latest', 'capped'],
    ['v1.0.60', 'capped'],
    ['1', 'capped'],
    ['1.x', 'capped'],
  ])('%s: %s', (version, rules) => {
    expect(compactionWith([], version).rules).toBe(rules)
  })

  it('before 2.1.38 no window can be set, and before 1.0.90 no percentage: neither is among the settings that count', () => {
    const said = [
      says('compactWindow', 150_000),
      says('compactWindowVariable', 120_000),
      says('compactPercent', 50),
    ]
    const found = (version: string) => {
      const { window, percent, settings } = compactionWith(said, version)
      return [window, percent, ...settings.map(({ name }) => name)]
    }
    expect(found('2.1.38')).toEqual([120_000, 50, 'compactWindowVariable', 'compactPercent'])
    expect(found('2.1.37')).toEqual([null, 50, 'compactPercent'])
    expect(found('1.0.89')).toEqual([null, null])
  })

  it.each<[string, string | null, number | null, number]>([
    ['2.1.38', SONNET, null, 20_000],
    ['2.1.38', SONNET, 30_000, 20_000],
    ['2.1.38', SONNET, 5_000, 5_000],
    ['2.1.38', 'claude-3-opus', null, 8_192],
    ['2.1.38', 'claude-3-opus', 10_000, 10_000],
    ['1.0.90', SONNET, null, 32_000],
    ['1.0.90', SONNET, 50_000, 32_000],
    ['1.0.90', SONNET, 5_000, 5_000],
    ['1.0.90', null, null, 32_000],
    ['1.0.90', 'claude-3-opus', null, 8_192],
    ['1.0.90', 'claude-sonnet-3-5', 10_000, 8_192],
    ['1.0.60', 'claude-haiku-3', 5_000, 5_000],
  ])('%s leaves for an answer of %s, set to %s: %i', (version, model, set, output) => {
    const said = set === null ? [] : [says('maxOutput', set)]
    expect(compactionWith(said, version, model).output).toBe(output)
  })

  it('a size for idle compaction is not among the settings that count where that is off', () => {
    const off = [says('idle', false), says('idleTokens', 300_000)]
    expect(compactionWith(off)).toMatchObject({ idle: null, settings: [off[0]] })
    // A stronger file may switch it on again.
    const on = claudeCodeCompaction([off, [says('idle', true)]], NEWEST, SONNET)
    expect(on).toMatchObject({ idle: 300_000, settings: [{ name: 'idle', value: true }, off[1]] })
  })

  it.each<[string, ClientSetting[], number | null]>([
    ['2.1.285', [], null],
    ['2.1.285', [says('maxOutput', 9)], null],
    ['2.1.286', [], 200_000],
    ['2.1.286', [says('idle', true)], 200_000],
    ['2.1.286', [says('idle', false)], null],
    ['2.1.286', [says('idle', true), says('idleTokens', 300_000)], 300_000],
    ['2.1.286', [says('idleTokens', 300_000)], 300_000],
    ['2.1.286', [says('idleTokens', 50_000)], 100_000],
  ])('%s compacts a session that waits, with %j, from %s tokens on', (version, said, idle) => {
    const found = compactionWith(said, version)
    expect(found.idle).toBe(idle)
    expect(found.settings).toEqual(said)
  })

  it('settings for sessions that wait count for no earlier release', () => {
    const said = [says('idle', true), says('idleTokens', 300_000)]
    expect(compactionWith(said, '2.1.285')).toMatchObject({ idle: null, settings: [] })
  })
})

describe('the window that Claude Code compacts by', () => {
  const windowOf = (files: ClientSetting[][], model: string | null = SONNET) =>
    claudeCodeCompaction(files, NEWEST, model).window
  const forAll = says('compactWindow', 150_000)
  const own = says('compactWindow', 130_000, SONNET)
  const other = says('compactWindow', 110_000, 'claude-opus-4-6')
  const idle = says('idle', false)

  it.each<[string, ClientSetting[][], number | null]>([
    ['nothing is said', [[idle]], null],
    ['one file has one for all, and other settings', [[forAll, idle]], 150_000],
    ['one file has both', [[forAll, own]], 130_000],
    ['one file has that of another model', [[other]], null],
    ['the stronger file has one for all', [[own], [forAll]], 150_000],
    ['the stronger file has that of the model', [[forAll], [own]], 130_000],
    ['the stronger file has that of another model', [[own], [other]], 130_000],
    ['the stronger file says nothing of it', [[own], [idle]], 130_000],
    ['the stronger file has both', [[own], [forAll, says('compactWindow', 120_000, SONNET)]], 120_000],
    ['a file has two names of the model', [[own, says('compactWindow', 120_000, `${SONNET}[1m]`)]], 120_000],
    ['a file has two for all', [[forAll, says('compactWindow', 140_000)]], 140_000],
  ])('where %s', (_name, files, window) => {
    expect(windowOf(files)).toBe(window)
  })

  it('of a session whose model is not known is that for all', () => {
    expect(windowOf([[forAll, own]], null)).toBe(150_000)
  })

  it.each([
    [SONNET, 'Claude-Sonnet-4-6[1m]', true],
    [SONNET, 'anthropic.claude-sonnet-4-6', true],
    [SONNET, 'ap-south.anthropic.claude-sonnet-4-6-20260101-v10:10', true],
    [SONNET, 'claude-sonnet-4-6-v2', true],
    [`${SONNET}-20251231`, 'claude-sonnet-4-6@20260101', true],
    [SONNET, 'claude-sonnet-4-5', false],
    [SONNET, 'claude-sonnet-4-6-2026010', false],
    ['m.x', 'm[1m].x', false],
    ['m.x', 'm-v2.x', false],
    ['m.x', 'm-20260101.x', false],
    ['my_m', 'my_anthropic.m', false],
  ])('%s and %s are names of one model: %s', (key, model, isSame) => {
    expect(windowOf([[says('compactWindow', 130_000, key)]], model)).toBe(isSame ? 130_000 : null)
  })
})

it.each([
  ['1.0.60', 200_001, null, 154_560],
  ['1.0.60', 200_002, null, 154_561],
  ['2.0.60', 200_001, null, 155_001],
  ['2.0.60', 200_001, 33, 55_440],
  ['2.0.60', 200_001, 92, 154_560],
  ['2.0.60', 200_001, 93, 155_001],
  ['2.0.60', 40_000, null, -5_000],
])('%s compacts in a window of %i, at %s percent, at %i', (version, window, percent, line) => {
  const said = percent === null ? [] : [says('compactPercent', percent)]
  expect(claudeCodeLine(compactionWith(said, version), window)).toBe(line)
})
