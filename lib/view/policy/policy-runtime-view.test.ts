import { describe, expect, it } from 'vitest'
import type { ReadWindow } from '../../core/budget/session-load'
import { NO_SUBJECT } from '../../core/policy/effective'
import type { RuntimePolicy } from '../../core/policy/runtime/runtime-policy'
import { runtimePolicyWith, settingsFile } from '../../testing/builders/runtime-policy'
import { formatCount } from '../text/format'
import { runtimeView } from './policy-runtime-view'

const viewOf = (runtime: RuntimePolicy, window: ReadWindow = { tokens: 200_000, source: 'index' }) =>
  runtimeView({
    ...{ id: 'a', title: 'a', place: '', key: null, subject: NO_SUBJECT, storeLabel: '', storeFiles: [] },
    ...{ window, runtime },
  })

describe('X9 what the runtime does, on the policy screen', () => {
  it('is its own lines and settings, with what is assumed', () => {
    const view = viewOf(runtimePolicyWith())
    expect(view).toMatchObject({ name: 'OpenClaw 2026.2.26', files: ['openclaw.json'], assumed: [] })
    expect(view.lines.map(({ label }) => label)).toEqual(['flush 176k', 'compact 180k'])
    expect(view.facts.find(({ label }) => label === 'Compacts from')?.value).toBe(formatCount(180_000))
    expect(viewOf(runtimePolicyWith({ version: null })).assumed.join()).toContain('not stated')
  })

  it('B5 has its lines in the window that the runtime believes in, and names the one that prompts are cut to', () => {
    const believed = { tokens: 65_536, source: 'catalogue' } as const
    const view = viewOf(runtimePolicyWith(), { tokens: 4_096, source: 'cut', believed })
    expect(view.lines.map(({ label }) => label)).toEqual(['flush 41.5k', 'compact 45.5k'])
    expect(view.facts.slice(0, 2)).toMatchObject([
      { label: 'Window', value: formatCount(4_096), note: 'the provider cuts prompts to it' },
      { label: 'Believed window', value: formatCount(65_536) },
    ])
    expect(view.window).toBe(65_536)
  })

  it('says where nothing compacts by itself', () => {
    const files = [settingsFile('openclaw.json', { compaction: { mode: 'off' } })]
    const view = viewOf(runtimePolicyWith({ files }))
    expect(view.lines).toEqual([])
    expect(view.facts.find(({ label }) => label === 'Compacts from')?.value).toBe('never by itself')
  })
})
