'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { action } from '@/lib/server/door/action'
import {
  getCoveredPolicies,
  getCoveredVersion,
  revealPolicyValues,
  saveCoveredDocument,
} from '@/lib/server/policy/covered-policies'
import { getPolicyHistory } from '@/lib/server/policy/policies'
import type {
  PolicyHistoryAnswer,
  PolicyRevealAnswer,
  PolicySaveAnswer,
  PolicyVersionAnswer,
} from '@/lib/view/policy/policy-answers'
import type { PolicyDocumentView } from '@/lib/view/policy/policy-reading'

const path = z.string().min(1)
// The save checks their size, with the values in them that a page does not get.
const text = z.string()
const input = z.strictObject({ path, baseHash: z.string(), baseText: text, text })

const READING = { unreadable: 'This names no file.' } as const

/** Saves an edited configuration file, with all the checks of the store; nothing is half written. */
export async function savePolicy(values: unknown): Promise<PolicySaveAnswer> {
  return action(z.tuple([input]), [values], save, READING)
}

/** Pages are made anew only where something was written: else they would take the draft from under its writer. */
async function save(values: z.output<typeof input>): Promise<PolicySaveAnswer> {
  const result = await saveCoveredDocument(values)
  if (result.kind !== 'saved') return result
  revalidatePath('/', 'layout')
  const { documents } = await getCoveredPolicies()
  return { kind: 'saved', documents, backup: result.backup }
}

/** The files as they are now. */
export async function reloadPolicies(): Promise<readonly PolicyDocumentView[]> {
  return (await getCoveredPolicies()).documents
}

export async function readPolicyHistory(file: unknown): Promise<PolicyHistoryAnswer> {
  const history = async (read: string) =>
    ({ kind: 'history', versions: await getPolicyHistory(read) }) as const
  return action(z.tuple([path]), [file], history, READING)
}

export async function readPolicyVersion(file: unknown, id: unknown): Promise<PolicyVersionAnswer> {
  return action(z.tuple([path, z.string()]), [file, id], version, READING)
}

async function version(file: string, id: string): Promise<PolicyVersionAnswer> {
  const kept = await getCoveredVersion(file, id)
  return kept === null
    ? { kind: 'refused', problem: 'This version is not kept any more.' }
    : { kind: 'version', text: kept }
}

/** The values behind the stand-ins in a text of the file. */
export async function revealPolicy(file: unknown, shown: unknown): Promise<PolicyRevealAnswer> {
  const reveal = (read: string, words: string) =>
    ({ kind: 'revealed', values: revealPolicyValues(read, words) }) as const
  return action(z.tuple([path, text]), [file, shown], reveal, READING)
}
