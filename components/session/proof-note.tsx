'use client'

import { useQuery } from '@tanstack/react-query'
import { PageLink } from '@/components/ui/page-link'
import { useSettled } from '@/components/ui/use-settled'
import { proofSentences } from '@/lib/view/session/seen'
import { visibleLine } from '@/lib/view/text/visible-text'
import { proofQuery } from './session-queries'

/** The call is asked about when it has been chosen for so long. */
const SETTLE_MS = 250

/** Whether what a call was sent is proved by the hashes that its client recorded; nothing where it recorded none. */
export function ProofNote({ id, call }: { id: string; call: number }) {
  const settled = useSettled(call, SETTLE_MS)
  const { data, error } = useQuery(proofQuery(id, settled))
  if (error && settled === call)
    return (
      <p className="max-w-[100ch] px-4 pb-2 text-table text-danger">
        {visibleLine(`The requests that this session records could not be read: ${error.message}`)}
      </p>
    )
  const words = data === undefined || settled !== call ? '' : proofSentences(data)
  if (words === '') return null
  return (
    <p role="note" data-testid="proof" className="max-w-[100ch] px-4 pb-2 text-table text-muted">
      {`${words} `}
      <PageLink href="/help#proved" className="text-accent underline">
        What proved means
      </PageLink>
    </p>
  )
}
