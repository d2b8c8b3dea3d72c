'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Policy } from '@/lib/core/policy/policy'
import type { PolicyChanges } from '@/lib/view/policy/policy-edit'
import { type SessionPolicy, type TrialBase, trialPolicy } from '@/lib/view/policy/policy-trial'
import { policyQuery } from './session-queries'

export type Trial = {
  /** The draft as the files have it, and what the runtime does. */
  readonly inForce: SessionPolicy
  /** The draft as the files have it, or what is tried. */
  readonly policy: Policy
  /** The same without what is being dragged at this moment. */
  readonly settled: Policy
  readonly change: (changes: PolicyChanges) => void
  readonly preview: (changes: PolicyChanges | null) => void
  readonly reset: () => void
}

/** A policy that is tried on a session's chart. It lives as long as the panel is open and is never saved from here. */
export function useTrial(id: string, initial: SessionPolicy, base: TrialBase | null): Trial {
  const inForce = useQuery({ ...policyQuery(id), initialData: initial }).data
  const [changes, setChanges] = useState<PolicyChanges>({})
  const [dragged, setDragged] = useState<PolicyChanges>({})
  const settled = trialPolicy(inForce.policy, base, base === null ? {} : changes)
  return {
    inForce,
    settled,
    policy: base === null ? settled : trialPolicy(inForce.policy, base, { ...changes, ...dragged }),
    change: (next) => {
      setDragged({})
      setChanges((before) => ({ ...before, ...next }))
    },
    preview: (next) => setDragged(next ?? {}),
    reset: () => {
      setDragged({})
      setChanges({})
    },
  }
}
