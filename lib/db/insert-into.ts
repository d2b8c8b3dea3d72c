/** An INSERT statement with a parameter for each column. @param names of the columns, separated by spaces */
export function insertInto(table: string, names: string, verb = 'INSERT'): string {
  const columns = names.split(' ')
  return `${verb} INTO "${table}" (${columns.map((name) => `"${name}"`).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
}
