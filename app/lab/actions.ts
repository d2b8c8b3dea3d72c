'use server'

import { z } from 'zod'
import { EXPERIMENT_SPEC } from '@/lib/core/replay/experiment-spec'
import { action } from '@/lib/server/door/action'
import {
  beginExperiment,
  refuseOnPage,
  removeExperiment,
  renameOnPage,
  runExperiment,
} from '@/lib/server/lab/experiments'
import type { DoneAnswer } from '@/lib/view/actions/action-answer'
import type { RunAnswer } from '@/lib/view/lab/lab-page'

const experiment = z.string().regex(/^[\w-]{1,64}$/)
const name = z.string().max(200)
const THIS = { unreadable: 'This is no experiment.' } as const

/** Plans an experiment and begins to run it. */
export async function beginExperimentAction(...sent: readonly unknown[]): Promise<RunAnswer> {
  return action(z.tuple([name, EXPERIMENT_SPEC]), sent, beginExperiment, {
    unreadable: 'It needs sessions and policies that there are.',
  })
}

/** Runs an experiment once more. */
export async function runExperimentAction(...sent: readonly unknown[]): Promise<RunAnswer> {
  return action(z.tuple([experiment]), sent, runExperiment, THIS)
}

export async function renameExperimentAction(...sent: readonly unknown[]): Promise<DoneAnswer> {
  return action(z.tuple([experiment, name]), sent, renameOnPage, THIS)
}

export async function removeExperimentAction(...sent: readonly unknown[]): Promise<DoneAnswer> {
  return action(z.tuple([experiment]), sent, removeExperiment, THIS)
}

const transcript = z.string().regex(/^[\w-]{1,64}$/)
const seq = z.number().int().min(0)

/** Says that something is no need, or takes that back. */
export async function refuseNeedAction(...sent: readonly unknown[]): Promise<DoneAnswer> {
  return action(z.tuple([transcript, seq, z.string().max(10_000), z.boolean()]), sent, refuseOnPage, {
    unreadable: 'This is no need.',
  })
}
