import { PageLink } from '@/components/ui/page-link'

/** Leads to the help from where there is no finding. @param before how what is shown was examined */
export function LookedFor({ before }: { before: string }) {
  return (
    <p>
      {before}{' '}
      <PageLink href="/help#findings" className="text-accent underline">
        What is looked for
      </PageLink>{' '}
      is in the help.
    </p>
  )
}
