import type { MaintenancePlan, MaintenanceStep } from './plan'

/** A plan as lines, without the moment it was made at: two that would do the same are the same text. */
export function planText({ steps }: MaintenancePlan): string {
  return steps.map(stepText).join('\n')
}

function stepText(step: MaintenanceStep): string {
  switch (step.do) {
    case 'remove-entry':
      return JSON.stringify([step.do, step.rule, step.key, step.sessionId, step.updatedAt])
    case 'rotate':
      return JSON.stringify([step.do, step.bytes])
    default:
      return JSON.stringify([step.do, step.rule, step.file, step.bytes])
  }
}
