'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import {
  getPolicyDocuments,
  getPolicyHistory,
  getPolicyVersion,
  savePolicyDocument,
} from '@/lib/server/policies'
import type { PolicyHistoryAnswer, PolicySaveAnswer, PolicyVersionAnswer } from '@/lib/view/policy-answers'
import type { PolicyDocumentView } from '@/lib/view/policy-reading'

const input = z.strictObject({
  path: z.string().min(1),
  baseHash: z.string(),
  baseText: z.string().max(4_194_304),
  text: z.string().max(4_194_304),
})

/** Saves an edited configuration file, with all the checks of the store; nothing is half written. */
export async function savePolicy(values: unknown): Promise<PolicySaveAnswer> {
  return orRefused(async () => {
    const result = await savePolicyDocument(input.parse(values))
    if (result.kind !== 'saved') return result
    revalidatePath('/', 'layout')
    return { kind: 'saved', documents: await getPolicyDocuments(), backup: result.backup }
  })
}

/** The files as they are now. */
export async function reloadPolicies(): Promise<PolicyDocumentView[]> {
  return getPolicyDocuments()
}

export async function readPolicyHistory(path: unknown): Promise<PolicyHistoryAnswer> {
  return orRefused(async () => ({
    kind: 'history',
    versions: await getPolicyHistory(z.string().parse(path)),
  }))
}

export async function readPolicyVersion(path: unknown, id: unknown): Promise<PolicyVersionAnswer> {
  return orRefused(async () => {
    const text = await getPolicyVersion(z.string().parse(path), z.string().parse(id))
    return text === null
      ? { kind: 'refused', problem: 'This version is not kept any more.' }
      : { kind: 'version', text }
  })
}

type Refused = { readonly kind: 'refused'; readonly problem: string }

async function orRefused<T>(work: () => Promise<T>): Promise<T | Refused> {
  try {
    return await work()
  } catch (error) {
    return { kind: 'refused', problem: error instanceof Error ? error.message : String(error) }
  }
}
