import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { type CutoffAdvice, MOST_AGAINST } from '@/lib/core/logs/advise-cutoff'
import { formatCount, formatPercent, formatQuantity } from '@/lib/view/format'

/** What the logs say about the cut-off, and which key to change (W5). */
export function AdviceCard({ advice, onTake }: { advice: CutoffAdvice; onTake: (cutoff: number) => void }) {
  return (
    <Card
      title="What the logs advise"
      note={`no more than ${formatPercent(MOST_AGAINST)} of what is dropped may be wanted later`}
    >
      <div className="flex max-w-[80ch] flex-col items-start gap-2 text-table" data-testid="advice">
        <Words advice={advice} />
        {advice.kind === 'lower' && (
          <Button onClick={() => onTake(advice.change.to)}>{`Compare with ${advice.change.to}`}</Button>
        )}
      </div>
    </Card>
  )
}

function Words({ advice }: { advice: CutoffAdvice }) {
  if (advice.kind === 'too-few')
    return (
      <p>
        {`Nothing yet: ${formatQuantity(advice.drops, 'drop')} with a score, and fewer than ${formatCount(advice.wanted)} say nothing.`}
      </p>
    )
  const share = `${formatPercent(advice.against)} of ${formatQuantity(advice.drops, 'scored drop')}`
  if (advice.kind === 'stay')
    return (
      <p>
        {advice.against <= MOST_AGAINST
          ? `Leave the cut-off: ${share} were wanted later. Whether a higher one would do as well, no log can tell, since what stayed is not logged; try it on transcripts below.`
          : `No lower cut-off would help: ${share} were wanted later, and those have low scores, too. Look at the scorer (relevance.scorer) and its weights instead.`}
      </p>
    )
  const { change, thenAgainst } = advice
  return (
    <>
      <p>{`${share} were wanted later; with a cut-off of ${change.to} it would be ${formatPercent(thenAgainst)}.`}</p>
      <p>
        Change <code>{change.key}</code> from {change.from} to {change.to} in <code>plimsoll.yaml</code>, or{' '}
        <code>{change.seedKey}</code> in <code>context-config.yaml</code>.
      </p>
    </>
  )
}
