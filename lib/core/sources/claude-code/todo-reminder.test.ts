import { describe, expect, it } from 'vitest'
import { estimateUnits } from '../../tokens/estimate'
import { todoReminder } from './todo-reminder'
import { isUpTo } from './version'

const newTodos = [{ content: 'Weigh anchor', status: 'pending', priority: 'high', id: '1' }]

describe('the task list that early releases sent along with its change', () => {
  it('is the list with some 55 units of words about it', () => {
    const reminder = todoReminder({ version: '1.0.17', toolUseResult: { oldTodos: [], newTodos } })
    const list = estimateUnits(JSON.stringify(newTodos))
    expect(reminder).toContain('Weigh anchor')
    expect(estimateUnits(reminder ?? '') - list).toBeGreaterThan(45)
    expect(estimateUnits(reminder ?? '') - list).toBeLessThan(65)
  })

  it('was not sent by later releases, nor with other results', () => {
    expect(todoReminder({ version: '1.0.98', toolUseResult: { newTodos } })).toBeNull()
    expect(todoReminder({ toolUseResult: { newTodos } })).toBeNull()
    expect(todoReminder({ version: '1.0.17', toolUseResult: 'Todos have been modified' })).toBeNull()
    expect(todoReminder({ version: '1.0.17', toolUseResult: { newTodos: 'all' } })).toBeNull()
  })
})

describe('isUpTo', () => {
  it.each([
    ['2.1.88', true],
    ['2.1.89', false],
    ['1.9.999', true],
    ['3.0.0', false],
    ['2.1', true],
    ['[trimmed]', false],
    [undefined, false],
  ])('%s up to 2.1.88: %s', (version, is) => {
    expect(isUpTo(version, [2, 1, 88])).toBe(is)
  })
})
