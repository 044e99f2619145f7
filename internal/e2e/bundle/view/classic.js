var topLevel = "classic";
order.push("classic");
