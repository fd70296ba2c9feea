import { useProducts } from '../payments/offers.ts'

/** The name of a product whose slug is known; the slug itself until the names are read. */
export function useProductName(): (slug: string) => string {
  const products = useProducts()
  return (slug) => products.find((product) => product.slug === slug)?.name ?? slug
}
