import { buttonClasses } from './button'
import { PageLink } from './page-link'

/** Where a list of several pages is, newest first, and the way to the next ones. `path` takes the number as `page`. */
export function PageLinks({ path, page, pages }: { path: '/audit' | '/jobs'; page: number; pages: number }) {
  if (pages < 2) return null
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center gap-2">
      {page > 1 && (
        <PageLink rel="prev" href={`${path}?page=${page - 1}`} className={buttonClasses('plain')}>
          Newer
        </PageLink>
      )}
      <p className="tnum text-table text-muted">{`Page ${page} of ${pages}`}</p>
      {page < pages && (
        <PageLink rel="next" href={`${path}?page=${page + 1}`} className={buttonClasses('plain')}>
          Older
        </PageLink>
      )}
    </nav>
  )
}
