import { describe, expect, it } from 'vitest'
import { GOCLAW_RULES } from './goclaw-keys'
import { DURATION, type KeyRule, SECONDS } from './key-rule'

const SAME: KeyRule = { from: '', to: '' }
const both = (rule: Pick<KeyRule, 'read' | 'write'>, written: unknown, held: unknown) => {
  expect(rule.read?.(written)).toEqual(held)
  expect(rule.write?.(held)).toEqual(written)
}
const goclaw = (from: string, to: string) =>
  GOCLAW_RULES.find((rule) => rule.from === from && rule.to === to) ?? SAME

describe('V6 units of foreign files', () => {
  it('durations: a number with a unit, a bare number is minutes; what is none stays', () => {
    const { read = (value) => value, write = (value) => value } = DURATION
    const read1 = ['5ms', '5s', '1.25m', '2h', '1d', ' 90 s ', 5, 0].map(read)
    expect(read1).toEqual([5, 5_000, 75_000, 7_200_000, 86_400_000, 90_000, 300_000, 0])
    const none = ['5', '5 w', 's', '5m!', '-5m', '', null, true, ['5m']]
    expect(none.map(read)).toEqual(none)
    expect([5, 5_000, 90_000, 7_200_000, 86_400_000, 172_800_000, 0].map(write)).toEqual([
      ...['5ms', '5s', '90s', '2h', '1d', '2d', '0ms'],
    ])
    expect([null, 'x'].map(write)).toEqual([null, 'x'])
  })

  it('seconds, minutes and percent', () => {
    both(SECONDS, 1.5, 1_500)
    both(SECONDS, '1', '1')
    both(goclaw('session.compaction.ollamaResetMinutes', 'summary.resetMs'), 30, 1_800_000)
    both(goclaw('session.compaction.ollamaResetMinutes', 'summary.resetMs'), null, null)
    const percents = goclaw('session.checkpoint.tokenThresholdPercents', 'lines.checkpoints.at')
    both(percents, [25, 50, 12.5], [0.25, 0.5, 0.125])
    both(percents, 75, 0.75)
    both(percents, 'x', 'x')
    expect(percents.write?.([0.07 * 3])).toEqual([21])
  })

  it('U1 models of Ollama bear its name in the policy alone', () => {
    const model = goclaw('session.compaction.ollama.model', 'summary.model')
    both(model, 'qwen2.5:7b', 'ollama/qwen2.5:7b')
    both(model, '', '')
    both(model, 7, 7)
    expect(model.read?.('ollama/x')).toBe('ollama/x')
    expect(model.write?.('x/ollama/y')).toBe('x/ollama/y')
    expect(['ollama/x', '', 'openai/x', 7].map((value) => model.takes?.(value))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('F2 flush thresholds become lines, deliveries and prompts, the lowest first; the list is not written', () => {
    const list = [
      { percent: 75, injectAs: 'user', prompt: 'Save.' },
      { percent: 50 },
      { percent: 90, injectAs: 'user' },
    ]
    const of = (to: string) => {
      const rule = goclaw('session.memoryFlush.thresholds', to)
      expect(rule.readOnly).toBe(true)
      return [rule.read?.(list), rule.read?.('x')]
    }
    expect(of('lines.flush.at')).toEqual([[0.5, 0.75, 0.9], 'x'])
    expect(of('flush.delivery')).toEqual([['system', 'user', 'user'], 'x'])
    expect(of('flush.prompts')).toEqual([['', 'Save.', ''], 'x'])
    const at = goclaw('session.memoryFlush.thresholds', 'lines.flush.at')
    expect(at.read?.([{ percent: 'half' }, null, 5])).toEqual(['half', undefined, undefined])
  })
})
