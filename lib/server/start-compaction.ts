import 'server-only'
import type { StartAnswer } from '../view/job-answers'
import { planKnobsSearch, readPlanKnobs } from '../view/plan-knobs'
import type { CompactParams } from './compact-job'
import { startJob } from './jobs'

/** Begins to compact a session; whatever call the plan on the page stood at, a session is compacted at its end. */
export function startCompaction(params: CompactParams): Promise<StartAnswer> {
  const knobs = readPlanKnobs(Object.fromEntries(new URLSearchParams(params.knobs)))
  return startJob('compact', { ...params, knobs: planKnobsSearch({ ...knobs, call: null }) })
}
