import { defineTexts } from '../../i18n/use-texts.ts'

/** The words of an app behind a proxy that asks Portaria before each request. */
export const forwardAuthTexts = defineTexts({
  'pt-BR': {
    title: 'Atrás de um proxy',
    about: 'Para um app sem login próprio: nginx, Caddy ou Traefik consultam a Portaria antes de cada requisição.',
    docs: 'Documentação',
    hosts: 'Hosts',
    hostsHelp: 'Um por linha, abaixo do domínio interno, como wiki.exemplo.com.br. Sem nenhum host, nenhum proxy pode perguntar.',
    access: 'Quem passa',
    accesses: { signed_in: 'Quem entrou, com ou sem plano', any_plan: 'Quem tem algum plano', plans: 'Quem tem um destes planos' },
    plans: 'Planos',
    plansHelp: 'Os nomes na URL, separados por vírgulas, como easy-pro, easy-enterprise.',
    save: 'Salvar o proxy',
    offExplains:
      'Nenhum proxy poderá mais perguntar por este produto: os hosts dele recusam todos na hora, e ficam livres para outro produto.',
  },
  en: {
    title: 'Behind a proxy',
    about: 'For an app without its own sign-in: nginx, Caddy or Traefik ask Portaria before each request.',
    docs: 'Documentation',
    hosts: 'Hosts',
    hostsHelp: 'One per line, under the internal domain, such as wiki.example.com. Without a host, no proxy can ask.',
    access: 'Who may pass',
    accesses: {
      signed_in: 'Everyone who is signed in, with or without a plan',
      any_plan: 'Users with any plan',
      plans: 'Users with one of these plans',
    },
    plans: 'Plans',
    plansHelp: 'Their URL names, separated by commas, such as easy-pro, easy-enterprise.',
    save: 'Save the proxy',
    offExplains: 'No proxy can ask for this product any more: its hosts refuse everyone immediately, and become free for another product.',
  },
  es: {
    title: 'Detrás de un proxy',
    about: 'Para una app sin inicio de sesión propio: nginx, Caddy o Traefik preguntan a Portaria antes de cada petición.',
    docs: 'Documentación',
    hosts: 'Hosts',
    hostsHelp: 'Uno por línea, debajo del dominio interno, como wiki.ejemplo.com. Sin ningún host, ningún proxy puede preguntar.',
    access: 'Quién pasa',
    accesses: {
      signed_in: 'Todos los que iniciaron sesión, con o sin plan',
      any_plan: 'Quien tiene algún plan',
      plans: 'Quien tiene uno de estos planes',
    },
    plans: 'Planes',
    plansHelp: 'Sus nombres en la URL, separados por comas, como easy-pro, easy-enterprise.',
    save: 'Guardar el proxy',
    offExplains:
      'Ya ningún proxy podrá preguntar por este producto: sus hosts rechazan a todos al instante y quedan libres para otro producto.',
  },
})
