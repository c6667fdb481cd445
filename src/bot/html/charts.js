// Draws the charts of a self-contained page. Runs in the page, after uPlot.
(() => {
  const { charts, timeZone } = JSON.parse(document.getElementById('charts-data').textContent);
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const dateOf = (seconds) => uPlot.tzDate(new Date(seconds * 1000), timeZone);

  function seriesOf({ label, role, isSteps, isDashed }) {
    return {
      label,
      stroke: style(`--${role}`),
      width: role === 'market' ? 1 : 1.5,
      ...(isDashed ? { dash: [4, 3] } : {}),
      ...(isSteps ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
      points: { show: false },
      value: (_plot, value) => (value === null || value === undefined ? '–' : value.toLocaleString('en-US')),
    };
  }

  /** Marks fills at their time and price: buys point upward. */
  function drawMarks(plot, marks) {
    const { ctx } = plot;
    const size = 5 * devicePixelRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
    ctx.clip();
    for (const { at, price, side } of marks) {
      const [x, y] = [plot.valToPos(at, 'x', true), plot.valToPos(price, 'y', true)];
      const way = side === 'buy' ? 1 : -1;
      ctx.fillStyle = style(side === 'buy' ? '--buy' : '--sell');
      ctx.beginPath();
      ctx.moveTo(x, y);
      ctx.lineTo(x - size, y + way * size * 1.6);
      ctx.lineTo(x + size, y + way * size * 1.6);
      ctx.fill();
    }
    ctx.restore();
  }

  function draw(place, { series, times, columns, marks }) {
    const axis = {
      stroke: style('--dim'),
      grid: { stroke: style('--line'), width: 1 },
      ticks: { stroke: style('--line') },
    };
    const options = {
      width: place.clientWidth,
      height: 240,
      tzDate: dateOf,
      cursor: { drag: { x: true, y: false } },
      series: [{ label: 'time' }, ...series.map(seriesOf)],
      axes: [axis, { ...axis, size: 76, values: (_plot, ticks) => ticks.map((tick) => tick.toLocaleString('en-US')) }],
      hooks: { draw: [(plot) => drawMarks(plot, marks)] },
    };
    return new uPlot(options, [times, ...columns], place);
  }

  const places = [...document.querySelectorAll('.chart')];
  let plots = [];
  function drawAll() {
    for (const plot of plots) plot.destroy();
    plots = places.map((place) => draw(place, charts[Number(place.dataset.chart)]));
  }
  drawAll();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  new ResizeObserver(() => {
    for (const [index, plot] of plots.entries()) {
      const width = places[index].clientWidth;
      if (width !== plot.width) plot.setSize({ width, height: plot.height });
    }
  }).observe(document.body);
})();
