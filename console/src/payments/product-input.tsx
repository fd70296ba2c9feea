import { SelectInput } from 'react-admin'
import { useProducts } from './offers.ts'

/** The choice of one product, or of none, in a form of react-admin. */
export function ProductInput({ label, help, none }: { label: string; help: string; none: string }) {
  const products = useProducts()
  return (
    <SelectInput
      source="product"
      label={label}
      helperText={help}
      choices={products.map(({ slug, name }) => ({ id: slug, name: `${name} (${slug})` }))}
      translateChoice={false}
      emptyText={none}
    />
  )
}
