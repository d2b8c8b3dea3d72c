import { expect, it } from 'vitest'
import { shortPlanInput } from '../../testing/builders/short-path'
import { makePlan } from './make-plan'
import type { PlanInput } from './plan-input'
import { sentToModel } from './sent-to-model'

const sent = (words: string, over: Partial<PlanInput> = {}) => {
  const plan = makePlan(shortPlanInput(words, 20, over))
  if (plan.kind !== 'plan') throw new Error(plan.why)
  return [sentToModel(plan), plan.cost] as const
}

it('counts the requests of a plan, their tokens, and each of their messages once', () => {
  const [found, cost] = sent('u a u a u a a a', { source: 'model' })
  // Two parts, what merges them, and the beginning of the turn that is cut.
  expect(found).toEqual({ requests: 4, messages: 6, tokens: cost.inputTokens })
})

it('is nothing where no model is asked', () => {
  expect(sent('u a u a u a a a', { source: 'digest' })[0]).toBeNull()
})
