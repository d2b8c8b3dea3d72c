import { ErrorState } from '@/components/ui/error-state'
import type { UndoAnswer } from '@/lib/view/audit/audit-answers'

/** What came of taking a setting back. */
export function TakenBack({ answer }: { answer: UndoAnswer }) {
  if (answer.kind === 'refused')
    return <ErrorState title="It was not taken back; nothing was changed" detail={answer.problem} />
  return (
    <p role="status" className="text-table text-ok">
      The file is as it was before, byte for byte.
    </p>
  )
}
