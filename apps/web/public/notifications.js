// Shows notifications and focuses their page on a click. It stores nothing and intercepts no requests.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = event.notification.data?.path ?? "/approvals";
  event.waitUntil(openPage(path));
});

async function openPage(path) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages[0];
  if (!page) return self.clients.openWindow(path);
  await page.focus();
  // A page that this worker does not control yet cannot be navigated, so a new one opens.
  return page.navigate(path).catch(() => self.clients.openWindow(path));
}
