// The page's address for a browser.
import { expect, test } from '@jest/globals';
import { pageUrl } from '../../../src/bot/settings/resolve.ts';
import type { WebSettings } from '../../../src/bot/settings/types.ts';
import { OPEN_PAGE } from '../../browser/page-options.ts';

const web: WebSettings = { ...OPEN_PAGE, port: 8787 };

test.each([
  ['open to this machine', web, 'http://127.0.0.1:8787'],
  ['at an address of version 6', { ...web, host: '::1' }, 'http://[::1]:8787'],
  ['over TLS', { ...web, tls: { certificate: '/c', key: '/k' } }, 'https://127.0.0.1:8787'],
  ['behind a proxy', { ...web, origin: 'https://bot.example.com', behindProxy: true }, 'https://bot.example.com'],
])('`check` says where to find a page that is %s', (_what, settings, url) => {
  expect(pageUrl(settings)).toBe(url);
});
