import { PageLink } from '@/components/ui/page-link'
import type { CauseItem } from '@/lib/view/findings/cause-item'
import { formatCount } from '@/lib/view/text/format'

/** The calls and lines at which a finding shows, each opened with one click. */
export function PlaceLinks({ calls, lines }: Pick<CauseItem, 'calls' | 'lines'>) {
  const link = (word: string) => {
    const shown = ({ number, href }: CauseItem['calls'][number]) => (
      <PageLink key={href} href={href} className="tnum whitespace-nowrap text-accent hover:underline">
        {`${word} ${formatCount(number)}`}
      </PageLink>
    )
    return shown
  }
  return (
    <>
      {calls.map(link('call'))}
      {lines.map(link('line'))}
    </>
  )
}
