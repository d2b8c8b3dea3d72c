import { buttonClasses } from './button'

/** Downloads of a list as it is chosen: as a table for spreadsheets, and as a JSON object per line. */
export function ExportLinks({
  address,
  query,
}: {
  /** Of the route that writes it. */
  address: string
  /** What is chosen; '' or beginning with `?`. */
  query: string
}) {
  const exported = (form: string) => `${address}${query}${query === '' ? '?' : '&'}form=${form}`
  return (
    <span className="col-span-full inline-flex flex-wrap items-center justify-end">
      <a href={exported('csv')} className={buttonClasses('quiet')}>
        Save as CSV
      </a>
      <a href={exported('json')} className={buttonClasses('quiet')}>
        JSON lines
      </a>
    </span>
  )
}
