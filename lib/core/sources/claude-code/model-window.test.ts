import { expect, test } from 'vitest'
import { claudeCodeModelWindow } from './model-window'

test('models of the newest generations have a million tokens, older ones the usual window', () => {
  const window = (model: string | null) => claudeCodeModelWindow(model)
  for (const model of [
    'claude-opus-5-5',
    'claude-opus-5-20260801',
    'claude-opus-4-8',
    'claude-opus-4-7',
    'claude-sonnet-5',
    'claude-haiku-5-5',
    'claude-fable-5-1',
    'us.anthropic.claude-opus-5-5',
    'claude-sonnet-4-5[1m]',
  ])
    expect(window(model), model).toBe(1_000_000)
  for (const model of [
    'claude-opus-4-6',
    'claude-opus-4-5-20251101',
    'claude-sonnet-4-5-20250929',
    'claude-haiku-4-5',
    'claude-opus-50',
    'claude-3-7-sonnet',
  ])
    expect(window(model), model).toBe(200_000)
})

test('a model of somebody else is not one that the client knows', () => {
  expect(claudeCodeModelWindow('kimi-k3')).toBeNull()
  expect(claudeCodeModelWindow('notclaude-opus-5')).toBeNull()
  expect(claudeCodeModelWindow(null)).toBeNull()
})
