package io.runstone.admin;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Optional;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.NotificationEmitter;
import javax.management.StandardEmitterMBean;

/**
 * An MXBean whose descriptions come from {@link Described} on its interface, and whose parameters
 * have the names they have in the source. As thread-safe as what implements it.
 *
 * @param <T> the MXBean interface
 */
final class DescribedMBean<T> extends StandardEmitterMBean {
  DescribedMBean(T implementation, Class<T> type, NotificationEmitter emitter) {
    super(implementation, type, true, emitter);
  }

  @Override
  protected String getDescription(MBeanInfo info) {
    return Optional.ofNullable(getMBeanInterface().getAnnotation(Described.class))
        .map(Described::value)
        .orElseGet(info::getDescription);
  }

  @Override
  protected String getDescription(MBeanAttributeInfo info) {
    return method((info.isIs() ? "is" : "get") + info.getName(), 0)
        .map(method -> method.getAnnotation(Described.class))
        .map(Described::value)
        .orElseGet(info::getDescription);
  }

  @Override
  protected String getDescription(MBeanOperationInfo info) {
    return method(info.getName(), info.getSignature().length)
        .map(method -> method.getAnnotation(Described.class))
        .map(Described::value)
        .orElseGet(info::getDescription);
  }

  @Override
  protected String getParameterName(
      MBeanOperationInfo info, MBeanParameterInfo parameter, int sequence) {
    return method(info.getName(), info.getSignature().length)
        .map(method -> method.getParameters()[sequence])
        .filter(Parameter::isNamePresent)
        .map(Parameter::getName)
        .orElseGet(parameter::getName);
  }

  @Override
  protected int getImpact(MBeanOperationInfo info) {
    return info.getName().startsWith("list") ? MBeanOperationInfo.INFO : MBeanOperationInfo.ACTION;
  }

  private Optional<Method> method(String name, int parameters) {
    return Arrays.stream(getMBeanInterface().getMethods())
        .filter(method -> method.getName().equals(name) && method.getParameterCount() == parameters)
        .findFirst();
  }
}
