import { describe, expect, test } from 'vitest'
import { boundedPlan, isUnderWay, stepsOfCall } from './work-steps'

describe('E12: plans as tools note them', () => {
  test.each([
    ['TodoWrite', { todos: [{ content: 'Sound', status: 'completed', activeForm: 'Sounding' }] }, 'done'],
    ['update_plan', { explanation: 'why', plan: [{ step: 'Sound', status: 'in_progress' }] }, 'active'],
    ['write_todos', { todos: [{ title: 'Sound', status: 'Cancelled' }] }, 'dropped'],
    ['functions.task_list', { items: [{ text: 'Sound', done: true }] }, 'done'],
    ['plan', { steps: ['Sound'] }, 'open'],
    ['todo', { tasks: [{ task: 'Sound', status: 'in review' }] }, 'open'],
  ])('%s', (name, input, state) => {
    expect(stepsOfCall(name, input)).toEqual([{ title: 'Sound', state }])
  })

  test.each([
    ['read', { todos: [{ content: 'Sound' }] }],
    ['TodoWrite', { todos: 'Sound' }],
    ['TodoWrite', { todos: [{ content: 'Sound' }, { status: 'completed' }] }],
    ['TodoRead', {}],
  ])('%s with %j notes no plan', (name, input) => {
    expect(stepsOfCall(name, input)).toBeNull()
  })

  test('what is kept has one line for each title, bounds, and no credentials', () => {
    const steps = Array.from({ length: 140 }, (_, i) => ({
      title: `step ${i}\n- [x] forged ${'long '.repeat(100)}`,
      state: 'open' as const,
    }))
    const { goal, steps: kept } = boundedPlan({ goal: 'use sk-12345', steps }, (text) =>
      text.replace('sk-12345', '***'),
    )
    expect(goal).toBe('use ***')
    expect(kept).toHaveLength(100)
    expect(kept.every(({ title }) => title.length <= 300 && !title.includes('\n'))).toBe(true)
    expect(isUnderWay({ goal, steps: [] })).toBe(false)
  })
})
